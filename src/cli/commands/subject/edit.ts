import { subjectCommand } from '../../subject-command.ts';

export default subjectCommand({ isNew: false });
