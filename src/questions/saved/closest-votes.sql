-- en: The closest ballots of a year
-- fr: Les scrutins les plus serrés d’une année
-- about-en: Votes for and against, as published. Left out: ballots that record only votes for, such as motions of censure, and what needs another majority than that of votes.
-- about-fr: Votes pour et contre, tels que publiés. Sans les scrutins où seuls les votes pour sont enregistrés (motions de censure), ni ce qui demande une autre majorité que celle des votes.
-- covers: ballot
-- :year integer 2025 | the year | l’année
-- :chamber text AN | AN or Senat | AN ou Senat
WITH counted AS (
  SELECT ballot, date, title, result, one_sided, required,
    json_extract(totals, '$.for') AS votes_for, json_extract(totals, '$.against') AS votes_against
  FROM ballots WHERE chamber = :chamber AND date LIKE :year || '-%'
)
SELECT abs(votes_for - votes_against) AS difference, votes_for, votes_against, result, date, title, ballot
FROM counted
WHERE votes_for + votes_against > 0 AND NOT one_sided
  AND coalesce(required <= (votes_for + votes_against) / 2 + 1, 1)
ORDER BY 1, date DESC, ballot LIMIT 20
