import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { Person } from '#shared/orders/persons.ts';
import { Receiver } from './receiver.tsx';

const html = (receiver: Parameters<typeof Receiver>[0]['receiver']) =>
  renderToStaticMarkup(createElement(Receiver, { receiver }));

it('a slip says that no address is stored instead of leaving its window empty', () => {
  expect(html(null)).toBe('<div>Keine Anschrift gespeichert</div>');
  expect(html(Person.parse({}))).toBe('<div>Keine Anschrift gespeichert</div>');
  // Not loaded yet, or not allowed for this user.
  expect(html(undefined)).toBe('');
});
