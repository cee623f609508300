-- en: How united each group voted, month by month
-- fr: L’unité de vote de chaque groupe, mois par mois
-- about-en: Mean share of a group’s voters who made its most frequent choice. Groups of one voter agree by construction: they are left out, and so are ballots that record only votes for, such as motions of censure.
-- about-fr: Part moyenne des votants d’un groupe qui ont fait son choix le plus fréquent. Un groupe à un seul votant est toujours d’accord : il est écarté, comme les scrutins où seuls les votes pour sont enregistrés (motions de censure).
-- covers: ballot
-- :year integer 2025 | the year | l’année
-- :chamber text AN | AN or Senat | AN ou Senat
WITH cast_votes AS (
  SELECT substr(votes.date, 1, 7) AS month, votes.party, votes.party_name,
    votes.votes_for + votes.votes_against + votes.votes_abstention AS voters,
    max(votes.votes_for, votes.votes_against, votes.votes_abstention) AS most
  FROM votes JOIN ballots ON ballots.ballot = votes.ballot
  WHERE votes.chamber = :chamber AND votes.date LIKE :year || '-%' AND NOT ballots.one_sided
)
SELECT month, party, party_name, count(*) AS ballots, round(avg(1.0 * most / voters), 3) AS mean_share
FROM cast_votes WHERE voters > 1 GROUP BY month, party ORDER BY month, party
