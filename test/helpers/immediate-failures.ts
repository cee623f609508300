import Mocha, { type MochaOptions, type Runner } from 'mocha';

const { Base, Spec } = Mocha.reporters;

/** The report `spec`, with each failure also where it happens: a run that is ended at its limit prints no list of them. */
export default class ImmediateFailures extends Spec {
  constructor(runner: Runner, options: MochaOptions) {
    super(runner, options);
    runner.on('fail', (_, { stack, actual, expected }) => {
      const isCompared = typeof actual === 'string' && typeof expected === 'string';
      const text = `${stack}\n${isCompared ? Base.generateDiff(actual, expected) : ''}`;
      // Further in than the counts of a run, which a message may contain.
      console.log(text.replaceAll(/^(?=.)/gm, '      '));
    });
  }
}
