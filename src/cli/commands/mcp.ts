import { HemicycleCommand } from '../base-command.ts';
import { onEndSignal, readerProgram } from '../process.ts';

export default class Mcp extends HemicycleCommand {
  async run(): Promise<void> {
    await this.parse(Mcp);
    const settings = this.settingsWith();
    const initialMirror = this.mirror(settings);
    const { failureText } = await import('../../server/run/request-log.ts');
    const onFailure = (error: unknown) => this.sinks().stderr(failureText(error));
    const { serveMirror } = await import('../../server/served-mirror.ts');
    const { createReader } = await import('../../server/reader-pool.ts');
    const { defaultBounds } = await import('../../server/bounds.ts');
    // The assistant is the only caller, so its reads may take longer than those of a public server.
    const bounds = { ...defaultBounds, readMs: 120_000, readWallMs: 300_000 };
    const { serveAssistant } = await import('../../server/mcp/assistant.ts');
    const mirror = this.closeAtEnd(serveMirror(initialMirror, settings, onFailure));
    const reader = this.closeAtEnd(createReader(mirror, bounds, readerProgram(this.config.root)));
    const { semanticSearch: semantic, questions } = settings;
    const assistant = serveAssistant(
      { input: process.stdin, output: process.stdout },
      { mirror, reader, caller: { key: '' }, clock: Date.now, settings: { semantic, questions } },
      { version: this.config.version, onFailure },
    );
    onEndSignal((exit) => {
      process.exitCode = exit;
      assistant.close();
    });
    await assistant.ended;
  }
}
