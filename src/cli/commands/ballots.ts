import { ballots } from '../../questions/ballots.ts';
import { ballotBlocks } from '../../terminal/ballot-view.ts';
import { questionCommand } from '../question-command.ts';

// Ten columns do not fit a terminal without cutting ids that people have to type again.
export default questionCommand(ballots, { blocks: () => ballotBlocks() });
