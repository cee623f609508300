-- en: Promises for which no source is named
-- fr: Les promesses sans source nommée
-- about-en: The record itself names none; one may exist elsewhere.
-- about-fr: L’enregistrement lui-même n’en nomme pas ; il peut en exister ailleurs.
-- covers: promise
SELECT id, politician, party, date, title FROM promises
WHERE json_array_length(coalesce(source_ids, '[]')) = 0 ORDER BY date DESC, id
