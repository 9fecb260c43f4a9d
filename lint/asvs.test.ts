import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const root = new URL('../', import.meta.url);
const read = (name: string) => readFileSync(new URL(name, root), 'utf8');
const pages = readdirSync(new URL('docs/asvs/', root)).map((name) => read(`docs/asvs/${name}`));

type Line = { id: string; level: string; state: string; how: string; shownBy: string };
const lines = pages.flatMap((page) =>
  page.split('\n').flatMap((line): Line[] => {
    const [, id = '', level = '', state = '', how = '', shownBy = ''] = line.split('|').map((cell) => cell.trim());
    return /^\d+\.\d+\.\d+$/.test(id) ? [{ id, level, state, how, shownBy }] : [];
  }),
);
const higher = pages.flatMap((page) =>
  [...page.matchAll(/^Level 3, not looked at: (.*)\.$/gm)].flatMap(([, list = '']) => list.split(', ')),
);
const counted = (of: (line: Line) => boolean) => lines.filter(of).length;

describe('the table of ASVS', () => {
  it('has every row of levels 1 and 2 once, and names those of level 3', () => {
    // The numbers of rows in version 5.0.0.
    expect([counted(({ level }) => level === '1'), counted(({ level }) => level === '2')]).toEqual([70, 183]);
    const ids = [...lines.map(({ id }) => id), ...higher.filter((id) => id !== 'none')];
    expect(ids).toHaveLength(345);
    const sections = Map.groupBy(ids, (id) => id.slice(0, id.lastIndexOf('.')));
    for (const [section, list] of sections) {
      const numbers = list.map((id) => Number(id.slice(section.length + 1))).toSorted((one, other) => one - other);
      expect([section, numbers]).toEqual([section, numbers.map((_, n) => n + 1)]);
    }
  });

  it('says for each row whether it is met, how, and which existing file shows it', () => {
    for (const line of lines) {
      expect(['yes', 'partly', 'no', '–']).toContain(line.state);
      expect([line.id, line.how]).not.toEqual([line.id, '']);
      if (line.state === 'yes') expect([line.id, line.shownBy]).toEqual([line.id, expect.stringMatching(/^`[^`]+`$/)]);
    }
    const named = lines.flatMap(({ shownBy }) => [...shownBy.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file));
    expect(named.filter((file) => !existsSync(new URL(file, root)))).toEqual([]);
  });

  it('has the same counts in its summary as in its rows', () => {
    const states = (['yes', 'partly', 'no', '–'] as const).map((state) => counted((line) => line.state === state));
    expect(read('docs/asvs.md')).toContain(`yes ${states[0]}, partly ${states[1]}, no ${states[2]}, – ${states[3]}`);
  });
});
