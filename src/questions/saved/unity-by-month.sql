-- en: How united each group voted, month by month
-- fr: L’unité de vote de chaque groupe, mois par mois
-- about-en: Mean share of a group’s voters who made its most frequent choice. Groups of one voter agree by construction: they are left out.
-- about-fr: Part moyenne des votants d’un groupe qui ont fait son choix le plus fréquent. Un groupe à un seul votant est toujours d’accord : il est écarté.
-- :year integer 2025 | the year | l’année
-- :chamber text AN | AN or Senat | AN ou Senat
WITH cast_votes AS (
  SELECT substr(date, 1, 7) AS month, party, party_name,
    votes_for + votes_against + votes_abstention AS voters,
    max(votes_for, votes_against, votes_abstention) AS most
  FROM votes WHERE chamber = :chamber AND date LIKE :year || '-%'
)
SELECT month, party, party_name, count(*) AS ballots, round(avg(1.0 * most / voters), 3) AS mean_share
FROM cast_votes WHERE voters > 1 GROUP BY month, party ORDER BY month, party
