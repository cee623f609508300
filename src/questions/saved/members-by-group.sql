-- en: Members of each group in office, by gender
-- fr: Les membres en fonction de chaque groupe, par genre
-- about-en: Where the service states group, chamber and gender of politicians.
-- about-fr: Là où le service indique groupe, chambre et genre des responsables.
WITH stated AS (
  SELECT json_extract(_json, '$.chamber') AS chamber, json_extract(_json, '$.gender') AS gender,
    coalesce(json_extract(_json, '$.group.slug'), json_extract(_json, '$.group')) AS party
  FROM politicians
)
SELECT stated.chamber, stated.party, parties.name, count(*) AS members,
  sum(gender = 'F') AS women, sum(gender = 'H') AS men, sum(gender IS NULL) AS not_stated
FROM stated LEFT JOIN parties ON parties.slug = stated.party
WHERE stated.party IS NOT NULL GROUP BY 1, 2 ORDER BY 1, members DESC, 2
