import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { api } from '#shared/http/api.ts';
import { asking } from '#client/loading.ts';
import { PageHeader } from '#client/ui/page-header.tsx';
import { AccountList } from './account-list.tsx';

/** Loads nothing for users who are not administrators. */
export async function loader(args: LoaderFunctionArgs) {
  const ask = asking(args);
  const { permissions } = await ask(api.session);
  if (!permissions.includes('admin')) return null;
  const [{ accounts }, masters] = await Promise.all([ask(api.marketplaceAccounts), ask(api.masters)]);
  return { accounts, masters: masters.map(({ masterid, name }) => ({ masterid, name })) };
}

/** The company's accounts at marketplaces. */
export default function MarketplaceAccounts() {
  const loaded = useLoaderData<typeof loader>();
  return (
    <div className="k-stack" style={{ maxWidth: 960 }}>
      <PageHeader
        title="Kanäle"
        lead="Ihre Verkäuferkonten bei Marktplätzen. Über sie liest Kontor Angebote und sendet Preise."
      />
      {loaded === null ? (
        <p className="k-card">Verkäuferkonten verwalten nur Inhaber und Administratoren.</p>
      ) : (
        <AccountList accounts={loaded.accounts} masters={loaded.masters} />
      )}
    </div>
  );
}
