import { MantineProvider } from '@mantine/core';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { expect, it } from 'vitest';
import { EffectSamples } from './effect-samples.tsx';

const textOf = (count: number) => {
  const fields = Array.from({ length: count }, (_, index) => ({ field: `f${index}`, before: 'a', after: 'b' }));
  const samples = [{ id: 'A-1', title: null, excluded: false, fields }];
  const scope = { kind: 'export' as const, id: 'E1' };
  const element = createElement(EffectSamples, { scope, masterid: 'M1', samples, total: 1 });
  return renderToString(createElement(MantineProvider, null, createElement(MemoryRouter, null, element))).replaceAll(
    /<style.*?<\/style>|<[^>]*>/gs,
    '',
  );
};

it('GEN-01 fields of a sample that are not shown are counted, with singular and plural', () => {
  expect(textOf(9)).toMatch(/und 1\u00a0weiteres Feld$/);
  expect(textOf(10)).toMatch(/und 2\u00a0weitere Felder$/);
});
