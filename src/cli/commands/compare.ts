import { compare } from '../../questions/compare.ts';
import { groupsCommand } from '../groups-command.ts';

export default groupsCommand(compare);
