import { cohesion } from '../../questions/cohesion.ts';
import { groupsCommand } from '../groups-command.ts';

export default groupsCommand(cohesion);
