import { Button } from '@mantine/core';
import { type LoaderFunctionArgs, redirect, useLoaderData, useNavigate } from 'react-router';
import { api } from '#shared/http/api.ts';
import { pages } from '#shared/pages.ts';
import { call } from '#client/call.ts';
import { failureOf } from '#client/failure.ts';
import { asking } from '#client/loading.ts';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { useFailure } from '#client/use-failure.ts';
import { FactorsCard } from './factors-card.tsx';

/** Redirects everyone who is not forced to set up a second factor, also right after it is set up. */
export async function loader(args: LoaderFunctionArgs) {
  const factors = await asking(args)(api.factors);
  const missing = factors.required && !factors.app && factors.passkeys.length === 0;
  return missing ? factors : redirect(pages.overview.path);
}

/** Shown to members whose company requires a second factor that they have not set up. */
export default function SetUpFactor() {
  const factors = useLoaderData<typeof loader>();
  const [failure, setFailure] = useFailure();
  const navigate = useNavigate();
  const signOut = async () => {
    try {
      await call(api.signOut);
      await navigate(pages.login.path);
    } catch (error) {
      setFailure(failureOf('Fehler beim Abmelden', error));
    }
  };
  return (
    <main id="inhalt" className="k-stack" style={{ maxWidth: 720, margin: '0 auto', padding: 16 }}>
      <title>{`${pages.secondFactor.title} · Kontor`}</title>
      <div className="k-between">
        <h1>{pages.secondFactor.title}</h1>
        <Button variant="default" onClick={() => void signOut()}>
          Abmelden
        </Button>
      </div>
      <ErrorNotice failure={failure} onClose={() => setFailure(null)} />
      <FactorsCard factors={factors}>
        <p>
          Ihre Firma verlangt einen zweiten Faktor. Richten Sie hier einen ein; danach können Sie sofort weiterarbeiten.
        </p>
      </FactorsCard>
    </main>
  );
}
