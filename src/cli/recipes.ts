/** A journalist's question, and the command line that answers it. */
export type Recipe = { question: string; command: string };

/** Questions about the fictional people of `demo`, with the command lines that answer them. */
export const recipes: readonly Recipe[] = [
  {
    question: 'How did each group vote on the last motion of censure?',
    command: 'vote motion de censure --latest',
  },
  {
    question: 'Which ballots were decided by fewer than five votes?',
    command: 'ballots --margin 4 --sort margin',
  },
  {
    question: 'What did somebody promise on housing?',
    command: 'search "type:promise Bruyevre logement"',
  },
  { question: 'Who joined or left a party or group this year?', command: 'affiliations --since 2026-01-01' },
  { question: 'Which group dissents most?', command: 'cohesion --since 2025-11-01 --sort dissent' },
  { question: 'How often do two groups vote alike?', command: 'compare ADR PDV' },
  { question: 'How often does a group vote as the majority does?', command: 'compare ADR majority' },
  {
    question: 'Where did one group vote for, and another against?',
    command: 'ballots --voted ADR:for --voted UDC:against',
  },
  {
    question: 'In which ballots was a group torn?',
    command: 'ballots --dissent 30% --columns date,scrutin_id,title,result',
  },
  {
    question: 'Who sits for a party? For a spreadsheet',
    command: 'politicians --party ADR --format csv --columns full_name,current_role,party',
  },
  {
    question: 'What was said in the chamber in these very words?',
    command: 'search \'"gardiens de phare"\' --type speech',
  },
  { question: 'Which subjects have most promises and positions?', command: 'topics' },
  { question: 'What is new since the last sync?', command: 'changes --since last' },
  { question: 'What did a profile say before it was edited?', command: 'history politician oceane-bruyevre' },
  { question: 'How do I cite a ballot in an article?', command: 'cite AN:VAL1V4 --lang fr' },
  { question: 'A picture of a ballot to publish', command: 'vote VAL1V4 --svg -' },
  {
    question: 'Every vote of every group, for a French spreadsheet',
    command: 'export votes --since 2026-01-01 --excel-fr',
  },
];
