-- en: Who is quoted, and how often
-- fr: Qui est cité, et combien de fois
-- covers: quote
SELECT quotes.politician, politicians.full_name, count(*) AS quotes, min(quotes.date) AS first_day, max(quotes.date) AS last_day
FROM quotes LEFT JOIN politicians ON politicians.slug = quotes.politician GROUP BY 1 ORDER BY quotes DESC, 1
