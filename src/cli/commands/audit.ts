import { audit } from '../../questions/audit.ts';
import { questionCommand } from '../question-command.ts';

export default questionCommand(audit);
