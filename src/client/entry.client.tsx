import { StrictMode, startTransition, useEffect } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { HydratedRouter } from 'react-router/dom';
import { typedBefore } from './typed-before.ts';

const typed = typedBefore(document);

/** The page answers from here on, and takes over what was typed until now. */
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
