-- en: Records that changed most since a day, as this mirror saw it
-- fr: Les enregistrements les plus modifiés depuis un jour, tels que ce miroir l’a vu
-- :since date 2024-01-01 | from this day on | à partir de ce jour
SELECT kind, key, count(*) AS edits, min(seen_to) AS first_edit, max(seen_to) AS last_edit FROM history
WHERE ended_by = 'edited' AND seen_to >= :since GROUP BY kind, key ORDER BY edits DESC, kind, key LIMIT 100
