import { MantineProvider } from '@mantine/core';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { expect, it } from 'vitest';
import { Pager } from './pager.tsx';

const textOf = (total: number, noun: 'Datensätzen' | 'Händlern') =>
  renderToString(
    createElement(MantineProvider, null, createElement(Pager, { page: 0, size: 25, total, noun, onPage: () => {} })),
  )
    .replaceAll(/<style.*?<\/style>|<[^>]*>/gs, '')
    .trim();

it('GEN-01 the pager uses the German singular and plural', () => {
  expect(textOf(1, 'Datensätzen')).toMatch(/^1–1 von 1 Datensatz(?!z|ä|e)/);
  expect(textOf(2, 'Datensätzen')).toMatch(/^1–2 von 2 Datensätzen/);
  expect(textOf(1200, 'Händlern')).toMatch(/^1–25 von 1\.200 Händlern/);
});
