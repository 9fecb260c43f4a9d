import { MantineProvider } from '@mantine/core';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { expect, it } from 'vitest';
import { ScheduleSettings } from '#shared/schedule/schema.ts';
import { ScheduleCard } from './schedule-card.tsx';

it('the browser cannot restore a schedule\'s switch to "on" when its page is reopened', () => {
  const settings = ScheduleSettings.parse({});
  const element = createElement(ScheduleCard, {
    title: 'Zeitplan',
    lead: '',
    schedule: { settings, revision: 0, nextAt: null, note: null, overdueSince: null, now: '2026-11-28T09:00:00Z' },
    subject: 'schedule',
    scope: 'export:E1',
    mayEdit: true,
    onSave: async () => 1,
    onSaved: () => undefined,
  });
  const router = createMemoryRouter([{ path: '/', element }]);
  const html = renderToString(createElement(MantineProvider, null, createElement(RouterProvider, { router })));
  // Without it Chromium restores field values by their order on the page, which differs once a schedule is open.
  expect(/<input[^>]*role="switch"[^>]*>/.exec(html)?.[0]).toContain('autoComplete="off"');
});
