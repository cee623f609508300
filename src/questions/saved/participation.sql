-- en: Votes cast by each group, against its members
-- fr: Les votes exprimés par chaque groupe, rapportés à ses membres
-- about-en: Sources do not tell absent, delegated and unpublished votes apart: this is no rate of presence.
-- about-fr: Les sources ne distinguent pas absence, délégation et vote non publié : ce n’est pas un taux de présence.
-- :year integer 2025 | the year | l’année
-- :chamber text AN | AN or Senat | AN ou Senat
SELECT party, party_name, count(*) AS ballots, sum(votes_for + votes_against + votes_abstention) AS votes_cast,
  sum(members) AS members_summed, round(1.0 * sum(votes_for + votes_against + votes_abstention) / sum(members), 3) AS share
FROM votes
WHERE chamber = :chamber AND date LIKE :year || '-%' AND members > 0
  AND votes_for + votes_against + votes_abstention IS NOT NULL
GROUP BY party ORDER BY share DESC, party
