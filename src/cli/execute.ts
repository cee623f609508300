import { flush, handle, type Interfaces, run } from '@oclif/core';

/**
 * oclif's entry, bundled with the commands so that a start reads a few files and not a hundred. What goes wrong before
 * a command is found is told as commands tell it.
 */
export async function execute(argv: string[], loadOptions: Interfaces.LoadOptions): Promise<void> {
  try {
    await run(argv, loadOptions);
    await flush();
  } catch (error) {
    // An ExitError is how oclif itself ends, for example after --help.
    if ((error as { code?: string }).code === 'EEXIT') return handle(error as Error);
    const { tellError } = await import('./tell-error.ts');
    const { speechTo } = await import('./language.ts');
    tellError(error as Error, argv, await speechTo(argv, process.env));
  }
}
