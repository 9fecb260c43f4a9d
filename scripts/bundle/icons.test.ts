import { expect, it } from 'vitest';
import { iconModule } from './icons.ts';

it("an icon's module has the paths of the icon and says whether it is filled", () => {
  const lines = 'fill="none" stroke="currentColor" stroke-linecap="round" stroke-linejoin="round" stroke-width="2"';
  const set = {
    copy: { body: `<g ${lines}><path d="M1 2"/><path d="M3 4"/></g>` },
    heart: { body: '<path fill="currentColor" d="M5 6z"/>' },
  };
  expect(iconModule(set, 'copy')).toContain('icon(["M1 2","M3 4"], false)');
  expect(iconModule(set, 'heart')).toContain('icon(["M5 6z"], true)');
});

it('an unknown icon, and one that consists of more than paths, stop the build with their names', () => {
  expect(() => iconModule({}, 'copi')).toThrow("There is no icon 'copi'");
  const circle = '<circle cx="12" cy="12" r="9" fill="currentColor"/>';
  expect(() => iconModule({ sun: { body: circle } }, 'sun')).toThrow("The icon 'sun' cannot be drawn");
});
