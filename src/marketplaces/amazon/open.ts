import type { Database } from '#platform/db/database.ts';
import type { Vault } from '#platform/crypto/vault.ts';
import { readSecret } from '#platform/crypto/credentials.ts';
import { accountSecret, type Account, type OpenConnector } from '#marketplaces/accounts/accounts.ts';
import type { Connector } from '#marketplaces/port.ts';
import type { AmazonDeps } from './client.ts';
import { amazonConnector } from './connector.ts';
import { AmazonSecrets, AmazonSettings, EU_API, LWA_TOKEN, type AmazonAccount } from './settings.ts';

type OpenDeps = AmazonDeps & { database: Database; vault: Vault };

/**
 * Makes connectors of accounts, and keeps each as long as its account stays as it is: a connector holds a token and knows the limits
 * it was granted. Whoever changes an account's secrets changes its settings too (their stamp), so that nothing old is kept.
 */
export function amazonOpener(deps: OpenDeps): OpenConnector {
  const kept = new Map<string, { stamp: string; connector: Connector }>();
  return async (account) => {
    const key = `${account.company}/${account.id}`;
    const { settings, marketplace, sellerId, currency } = account;
    const stamp = JSON.stringify([settings, marketplace, sellerId, currency]);
    const known = kept.get(key);
    if (known?.stamp === stamp) return known.connector;
    const connector = amazonConnector(deps, await credentialsOf(deps, account));
    kept.set(key, { stamp, connector });
    return connector;
  };
}

async function credentialsOf({ database, vault }: OpenDeps, account: Account): Promise<AmazonAccount> {
  const { company, id, marketplace, sellerId, currency } = account;
  const sealed = await database.company(company, (trx) => readSecret(trx, vault, accountSecret(company, id)));
  const { clientId, apiUrl, tokenUrl, queueUrl, queueKeyId } = AmazonSettings.parse(JSON.parse(account.settings));
  const { queueSecret, ...secrets } = AmazonSecrets.parse(JSON.parse(sealed ?? '{}'));
  return {
    marketplace,
    sellerId,
    currency,
    clientId,
    ...secrets,
    apiUrl: apiUrl === '' ? EU_API : apiUrl.replace(/\/+$/, ''),
    tokenUrl: tokenUrl === '' ? LWA_TOKEN : tokenUrl,
    queue: queueUrl === '' ? undefined : { url: queueUrl, keyId: queueKeyId, secret: queueSecret },
  };
}
