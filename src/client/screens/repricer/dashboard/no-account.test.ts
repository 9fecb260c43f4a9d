import { MantineProvider } from '@mantine/core';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { expect, it } from 'vitest';
import { NoAccount } from './no-account.tsx';

const htmlFor = (mayAdmin: boolean) => {
  const router = createMemoryRouter([{ path: '/', element: createElement(NoAccount, { mayAdmin }) }]);
  return renderToString(createElement(MantineProvider, null, createElement(RouterProvider, { router })));
};

it('links to the page where an account is created, if the user may create one', () => {
  expect(htmlFor(true)).toMatch(/<a [^>]*href="\/einstellungen\/kanaele"/);
  expect(htmlFor(false)).toContain('Noch kein Konto bei einem Marktplatz');
  expect(htmlFor(false)).not.toContain('<a ');
});
