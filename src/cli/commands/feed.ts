import { commandFeed } from '../../questions/feed.ts';
import { createFeedRenderer } from '../../terminal/feed-view.ts';
import { questionCommand } from '../question-command.ts';

export default questionCommand(commandFeed, { blocks: createFeedRenderer });
