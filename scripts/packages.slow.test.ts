import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

const read = (name: string) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');
const names = z.record(z.string(), z.string());
const Package = z.object({
  dependencies: names,
  devDependencies: names,
  allowScripts: z.record(z.string(), z.boolean()),
});
const Locked = z.object({
  version: z.string().optional(),
  integrity: z.string().optional(),
  resolved: z.string().optional(),
  hasInstallScript: z.boolean().optional(),
});
const Lock = z.object({ packages: z.record(z.string(), Locked) });
const Bill = z.object({
  bomFormat: z.literal('CycloneDX'),
  components: z.array(z.object({ name: z.string(), version: z.string() })),
});

describe('third-party packages', () => {
  const wanted = Package.parse(JSON.parse(read('package.json')));
  const { '': _own, ...locked } = Lock.parse(JSON.parse(read('package-lock.json'))).packages;
  const nameOf = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

  it('T25 are few, pinned to exact versions, with checksums, and come only from the registry', () => {
    // The optional one is Node itself.
    const direct = [wanted.dependencies, wanted.devDependencies].flatMap((one) => Object.entries(one));
    expect(direct.length).toBeLessThanOrEqual(60);
    expect(direct.filter(([, version]) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version))).toEqual([]);
    const unsure = Object.entries(locked).filter(([, { integrity }]) => integrity?.startsWith('sha512-') !== true);
    expect(unsure.map(([path]) => path)).toEqual([]);
    expect(Object.values(locked).filter(({ resolved }) => resolved !== undefined)).toEqual([]);
  });

  it('T25 run no install scripts, and each package that has one is listed as refused', () => {
    expect(read('scripts/bootstrap.cjs')).toMatch(/\['ci', '--ignore-scripts',/);
    const scripted = Object.entries(locked).filter(([, { hasInstallScript }]) => hasInstallScript === true);
    const unknown = scripted.map(([path]) => nameOf(path)).filter((name) => wanted.allowScripts[name] !== false);
    expect(unknown).toEqual([]);
  });

  it('T25 stand in a bill of materials that npm writes as CycloneDX', () => {
    const text = execFileSync('npm', ['sbom', '--sbom-format=cyclonedx', '--package-lock-only'], {
      cwd: new URL('..', import.meta.url),
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const { components } = Bill.parse(JSON.parse(text));
    const listed = new Set(components.map(({ name, version }) => `${name}@${version}`));
    const direct = Object.entries({ ...wanted.dependencies, ...wanted.devDependencies });
    expect(direct.filter(([name, version]) => !listed.has(`${name}@${version}`))).toEqual([]);
  });
});
