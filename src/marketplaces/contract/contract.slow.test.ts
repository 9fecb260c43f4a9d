import { markets } from '../../../test/stages/marketplaces/markets.ts';
import { connectorContract } from './contract.ts';
import { orderContract } from './order-contract.ts';

for (const [name, open] of markets) {
  connectorContract(name, open);
  orderContract(name, open);
}
