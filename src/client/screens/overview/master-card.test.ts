import { MantineProvider } from '@mantine/core';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { expect, it } from 'vitest';
import { Master } from '#shared/masters/schema.ts';
import { MasterCard } from './master-card.tsx';

const textOf = (fields: number) => {
  const master = Master.parse({
    masterid: 'M1',
    name: 'Katalog',
    items: 1,
    fields,
    snapshot: 1,
    importedAt: null,
    key: null,
    lastRun: null,
    exports: [],
    accounts: [],
  });
  const element = createElement(MasterCard, { master, exports: [], channels: [] });
  const router = createMemoryRouter([{ path: '/', element }]);
  return renderToString(createElement(MantineProvider, null, createElement(RouterProvider, { router }))).replaceAll(
    /<style.*?<\/style>|<[^>]*>/gs,
    '',
  );
};

it("GEN-01 the number of a catalogue's fields is written in the singular for one", () => {
  expect(textOf(1)).toMatch(/1\u00a0Feld(?!er)/);
  expect(textOf(12)).toContain('12\u00a0Felder');
});
