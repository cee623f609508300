import { ballots } from '../../questions/ballots.ts';
import { questionCommand } from '../question-command.ts';

export default questionCommand(ballots);
