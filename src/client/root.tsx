import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './theme/fonts.css';
import './theme/tokens.css';
import './theme/theme.css';
import './theme/tables.css';
import './theme/print.css';
import './theme/forced-colors.css';
import { mantineHtmlProps, MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { use, type ReactNode } from 'react';
import {
  Links,
  type LinksFunction,
  type LoaderFunctionArgs,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useRouteLoaderData,
} from 'react-router';
import { colorSchemeOf, cookieColorScheme, followSystemScript } from './color-scheme.ts';
import letters from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?no-inline';
import favicon from './favicon.svg?no-inline';
import { browserNonce, NonceContext } from '#client/ui/nonce.ts';
import { preferencesOf } from './preferences.ts';
import { servicesContext } from './server-context.ts';
import { FailurePage } from '#client/shell/failure-page.tsx';
import { QuestionOpener } from '#client/shell/proof/question-opener.tsx';
import { cssVariables, theme } from './theme/theme.ts';

export const links: LinksFunction = () => [
  { rel: 'icon', type: 'image/svg+xml', href: favicon },
  // Preloaded, because the browser finds the font only after it has read the style sheet.
  { rel: 'preload', as: 'font', type: 'font/woff2', href: letters, crossOrigin: 'anonymous' },
];

export function loader({ request, context }: LoaderFunctionArgs) {
  const cookies = request.headers.get('cookie') ?? '';
  return {
    colorScheme: colorSchemeOf(cookies),
    preferences: preferencesOf(cookies),
    requestId: context.get(servicesContext).requestId,
  };
}

/** The root's data is valid for the whole visit; the colour scheme changes in the browser without it. */
export const shouldRevalidate = () => false;

export function Layout({ children }: { children: ReactNode }) {
  const nonce = use(NonceContext);
  const scheme = useRouteLoaderData<typeof loader>('root')?.colorScheme ?? null;
  return (
    <html lang="de" {...mantineHtmlProps} data-mantine-color-scheme={scheme ?? 'light'}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <Meta />
        {/* Style sheets come from 'self' and need no nonce; the router's own would differ between server and browser. */}
        <Links nonce="" />
        {scheme === null && (
          <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: followSystemScript }} />
        )}
      </head>
      <body>
        <MantineProvider
          theme={theme}
          cssVariablesResolver={cssVariables}
          colorSchemeManager={cookieColorScheme}
          defaultColorScheme={scheme ?? 'auto'}
          getStyleNonce={() => nonce ?? browserNonce()}
        >
          {children}
          <Notifications position="bottom-right" autoClose={2000} limit={4} />
        </MantineProvider>
        <ScrollRestoration nonce={nonce} />
        <Scripts nonce={nonce} />
      </body>
    </html>
  );
}

export default function Root() {
  return (
    <>
      <QuestionOpener />
      <Outlet />
    </>
  );
}

export function ErrorBoundary() {
  return (
    <main style={{ maxWidth: 640, margin: '10vh auto', padding: 24 }}>
      <FailurePage />
    </main>
  );
}
