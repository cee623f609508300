-- en: Who went from one group to another of the same chamber
-- fr: Qui est passé d’un groupe à un autre de la même chambre
-- about-en: Stays that follow one another within a month, in groups of other short names that both lasted longer.
-- about-fr: Des appartenances qui se suivent à un mois près, dans des groupes de sigles différents, qui ont tous deux duré au-delà.
-- :since date 2017-06-01 | from this day on | à partir de ce jour
SELECT next.first_day AS day, politicians.full_name, left_group.short_name AS left, joined_group.short_name AS joined,
  former.last_day AS left_on, former.politician, former.party AS left_slug, next.party AS joined_slug
FROM membership_days AS former
JOIN membership_days AS next ON next.politician = former.politician AND next.kind = former.kind
  AND next.party <> former.party AND next.first_day BETWEEN former.last_day AND date(former.last_day, '+31 days')
JOIN parties AS left_group ON left_group.slug = former.party
JOIN parties AS joined_group ON joined_group.slug = next.party
LEFT JOIN politicians ON politicians.slug = former.politician
WHERE former.kind LIKE 'groupe%' AND next.first_day >= :since AND left_group.short_name <> joined_group.short_name
  AND coalesce(left_group.end_date, '9999-12-31') > date(former.last_day, '+31 days')
  AND coalesce(joined_group.start_date, '') < date(next.first_day, '-31 days')
ORDER BY 1 DESC, full_name
