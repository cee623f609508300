-- en: Members of each group in office, by gender
-- fr: Les membres en fonction de chaque groupe, par genre
SELECT politicians.chamber, politicians."group" AS party, parties.name, count(*) AS members,
  sum(gender = 'F') AS women, sum(gender = 'H') AS men, sum(gender IS NULL) AS not_stated
FROM politicians LEFT JOIN parties ON parties.slug = politicians."group"
WHERE politicians."group" IS NOT NULL GROUP BY 1, 2 ORDER BY 1, members DESC, 2
