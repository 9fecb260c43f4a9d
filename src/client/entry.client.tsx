import { StrictMode, startTransition, useEffect } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { HydratedRouter } from 'react-router/dom';
import { translateValidationMessages } from './page-load/german-bubbles.ts';
import { holdFailedLoads } from './page-load/held-loads.ts';
import { allowStyles } from './page-load/style-nonce.ts';
import { allowTexts } from './page-load/trusted-types.ts';
import { typedBefore } from './page-load/typed-before.ts';
import { focusBeforeRemoved } from './ui/focus/focus-before.ts';
import { keepFocusOfBusyButtons } from './ui/focus/keep-focus.ts';

allowTexts();
allowStyles();
window.fetch = holdFailedLoads(window.fetch.bind(window), () => location.pathname);
translateValidationMessages(document);
keepFocusOfBusyButtons();
focusBeforeRemoved();
const typed = typedBefore(document);

/** From here on the page is interactive; it takes over what was typed before. */
function Page() {
  useEffect(() => typed.takeOver(), []);
  return <HydratedRouter />;
}

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <Page />
    </StrictMode>,
  );
});
