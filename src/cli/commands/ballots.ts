import { ballots } from '../../questions/ballots.ts';
import { ballotBlock } from '../../terminal/ballot-view.ts';
import { questionCommand } from '../question-command.ts';

// Blocks, because a table of ten columns would truncate ids that users need to retype.
export default questionCommand(ballots, { blocks: () => ballotBlock });
