import { text } from '../../questions/text.ts';
import { ballotBlock } from '../../terminal/ballot-view.ts';
import { questionCommand } from '../question-command.ts';

export default questionCommand(text, {
  takesName: true,
  blocks:
    () =>
    ({ subject, title, ...ballot }, terminal) =>
      // All rows are ballots on one text, so the part voted on (`subject`) is the title.
      ballotBlock({ ...ballot, title: subject ?? title ?? null }, terminal),
});
