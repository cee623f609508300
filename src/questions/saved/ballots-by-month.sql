-- en: Ballots by month, with their announced results
-- fr: Les scrutins par mois, avec leur résultat annoncé
-- covers: ballot
-- :chamber text AN | AN or Senat | AN ou Senat
SELECT substr(date, 1, 7) AS month, count(*) AS ballots, sum(lower(result) LIKE 'adopt%') AS adopted,
  sum(lower(result) LIKE 'rejet%') AS rejected, sum(result IS NULL) AS not_stated
FROM ballots WHERE chamber = :chamber GROUP BY 1 ORDER BY 1 DESC
