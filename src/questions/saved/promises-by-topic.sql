-- en: Promises by topic and politician
-- fr: Les promesses par thème et par responsable
-- covers: promise
SELECT coalesce(topic, '') AS topic, politician, count(*) AS promises, min(date) AS first_day, max(date) AS last_day
FROM promises GROUP BY topic, politician ORDER BY promises DESC, topic, politician
