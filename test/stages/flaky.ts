import type { Reporter, TestModule } from 'vitest/node';

/** Names behind each run the tests that passed only when they were tried again, with what was wrong at first: each is a race to mend. */
export class Flaky implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const lines = modules.flatMap((module) =>
      [...module.children.allTests()].flatMap((test) => {
        if (test.diagnostic()?.flaky !== true) return [];
        const errors = test.result().errors ?? [];
        const first = errors[0]?.message.split('\n')[0] ?? '';
        const line = errors[0]?.stacks?.find(({ file }) => file.endsWith(module.relativeModuleId))?.line ?? '?';
        return [` ${module.project.name} ${module.relativeModuleId}:${line} > ${test.fullName}: ${first}`];
      }),
    );
    if (lines.length > 0)
      process.stdout.write(`\n Passed only at the second try: ${lines.length} tests\n${lines.join('\n')}\n`);
  }
}
