-- en: Amendments by group and outcome
-- fr: Les amendements par groupe et par sort
-- about-en: Those that the mirror holds, with the outcome that the source states; none is derived.
-- about-fr: Ceux que le miroir contient, avec le sort que la source indique ; aucun n’est déduit.
-- covers: content
SELECT party, outcome, count(*) AS amendments, min(date) AS first_day, max(date) AS last_day
FROM content WHERE lower(kind) LIKE 'amendement%' GROUP BY party, outcome ORDER BY party, amendments DESC
