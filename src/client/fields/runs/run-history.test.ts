import { MantineProvider } from '@mantine/core';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { expect, it } from 'vitest';
import { RunHistory } from './run-history.tsx';
import { queuedRun } from './use-run.ts';

function historyOf(warnings: readonly string[]): string {
  const createdAt = '2026-11-20T10:00:00.000Z';
  const run = { ...queuedRun('R1', 'export', 'E1'), createdAt, state: 'done' as const, warnings: [...warnings] };
  const element = createElement(RunHistory, { runs: [run], title: 'Letzte Läufe' });
  const router = createMemoryRouter([{ path: '/', element }]);
  return renderToString(createElement(MantineProvider, null, createElement(RouterProvider, { router }))).replaceAll(
    '<!-- -->',
    '',
  );
}

it('the history of runs shows the warnings of a run: the first, and all others behind a summary', () => {
  const html = historyOf(['Quelle „preis“ fehlt.', 'Zeichen ersetzt.', 'Zu viele Artikel.']);
  expect(html).toContain('fertig mit Hinweisen');
  expect(html).toMatch(/Quelle „preis“ fehlt\.<\/p>/);
  // A native summary is reached and opened by keyboard.
  expect(html).toMatch(
    /<details[^>]*><summary[^>]*>\+ 2\u00a0weitere<\/summary><ul[^>]*><li>Zeichen ersetzt\.<\/li><li>Zu viele Artikel\.<\/li>/,
  );
});

it('a single warning stands without a summary, and a run without warnings is just finished', () => {
  expect(historyOf(['Quelle „preis“ fehlt.'])).not.toContain('<details');
  const html = historyOf([]);
  expect(html).toContain('fertig');
  expect(html).not.toContain('Hinweis');
});
