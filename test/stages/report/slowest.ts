import type { Reporter, TestModule } from 'vitest/node';

/** Number of files to list. */
const listed = 20;

/**
 * Prints, after each run, the cost of the projects and their slowest test files: loading, preparation and tests, in seconds of a
 * worker.
 */
export class Slowest implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const files = modules.map(costOf).toSorted((a, b) => total(b) - total(a));
    if (files.length < 2) return;
    const projects = Map.groupBy(files, ({ project }) => project);
    const sums = [...projects].map(([name, own]) => sumOf(`${name}, ${own.length} files`, own));
    const rows = [sumOf(`all ${files.length} files`, files), ...sums, ...files.slice(0, listed)];
    process.stdout.write(`\n Slowest files    total    load prepare   tests\n${rows.map(line).join('\n')}\n`);
  }
}

/** Seconds of a file: loading its modules, its hooks before and after the tests, the tests themselves. */
type Cost = { project: string; name: string; load: number; prepare: number; tests: number };

const total = ({ load, prepare, tests }: Cost): number => load + prepare + tests;

function sumOf(name: string, files: readonly Cost[]): Cost {
  const sum = (pick: (cost: Cost) => number) => files.reduce((seconds, cost) => seconds + pick(cost), 0);
  return { project: '', name, load: sum((c) => c.load), prepare: sum((c) => c.prepare), tests: sum((c) => c.tests) };
}

function costOf(module: TestModule): Cost {
  const spent = module.diagnostic();
  const sum = [...module.children.allTests()].reduce((total, test) => total + (test.diagnostic()?.duration ?? 0), 0);
  // Concurrent tests take as long as all of them together, not their sum.
  const tests = Math.min(sum, spent.duration);
  return {
    project: module.project.name,
    name: `${module.project.name} ${module.relativeModuleId}`,
    load: (spent.environmentSetupDuration + spent.prepareDuration + spent.collectDuration) / 1000,
    prepare: (spent.setupDuration + spent.duration - tests) / 1000,
    tests: tests / 1000,
  };
}

function line(cost: Cost): string {
  const figures = [total(cost), cost.load, cost.prepare, cost.tests].map((seconds) => seconds.toFixed(1).padStart(8));
  return ` ${figures.join('')}  ${cost.name}`;
}
