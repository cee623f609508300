import { type SearchQuestion, searchText } from '../../src/server/search-text.ts';
import { openMirror } from '../../src/store/open.ts';

// Searches as the program does, but for two questions: one never ends, at the other it falls.
const mirror = openMirror(process.argv[2]!);

process.on('message', (question: SearchQuestion) => {
  while (question.query === 'endless');
  if (question.query === 'fatal') process.exit(9);
  process.send!(searchText(mirror, question));
});
process.on('disconnect', () => process.exit(0));
