import type { Reporter, TestModule } from 'vitest/node';

/** Most lines of a difference to print; findings of axe are long. */
const MOST_LINES = 40;

/** Reports, after each run, the tests that passed only when retried, with their first error: each is a race to fix. */
export class Flaky implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const lines = modules.flatMap((module) =>
      [...module.children.allTests()].flatMap((test) => {
        if (test.diagnostic()?.flaky !== true) return [];
        const errors = test.result().errors ?? [];
        const first = errors[0]?.message.split('\n')[0] ?? '';
        const line = errors[0]?.stacks?.find(({ file }) => file.endsWith(module.relativeModuleId))?.line ?? '?';
        // 'expected [ Array(1) ] to deeply equal []' does not show the values.
        const difference = (errors[0]?.diff ?? '').split('\n').slice(0, MOST_LINES).join('\n   ');
        return [
          ` ${module.project.name} ${module.relativeModuleId}:${line} > ${test.fullName}: ${first}\n   ${difference}`,
        ];
      }),
    );
    if (lines.length > 0)
      process.stdout.write(`\n Passed only at the second try: ${lines.length} tests\n${lines.join('\n')}\n`);
  }
}
