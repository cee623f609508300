import { subjectPage } from '../../../questions/subjects.ts';
import { sectionParagraphs } from '../../../terminal/change-view.ts';
import { questionCommand } from '../../question-command.ts';

export default questionCommand(subjectPage, { paragraphs: sectionParagraphs });
