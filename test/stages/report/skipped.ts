import type { Reporter, TestModule } from 'vitest/node';
import { absentServers } from '../../servers/servers.ts';

/** Reports, after each run, the tests that did not run; the reason is in their title, or in the note given at the skip. */
export class Skipped implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()].map((test) => ({ module, test })));
    const key = ({ module, test }: (typeof tests)[number]) => `${module.relativeModuleId} > ${test.fullName}`;
    // Tests that need a server run in one project and are skipped in the other.
    const ran = new Set(tests.filter(({ test }) => test.result().state !== 'skipped').map(key));
    const skipped = tests
      .filter((one) => !ran.has(key(one)))
      .map(({ module, test }) => ({
        group: `${module.project.name} ${module.relativeModuleId} > ${test.fullName.split(' > ')[0] ?? ''}`,
        title: test.name,
      }));
    const groups = Map.groupBy(skipped, ({ group }) => group);
    const lines = [...groups].map(([group, tests]) =>
      tests.length === 1 ? `${group} > ${tests[0]?.title ?? ''}` : `${group} (${tests.length} tests)`,
    );
    if (lines.length + absentServers.length === 0) return;
    process.stdout.write(
      `\n Skipped: ${skipped.length} tests\n${[...absentServers, ...lines].map((line) => ` ${line}`).join('\n')}\n`,
    );
  }
}
