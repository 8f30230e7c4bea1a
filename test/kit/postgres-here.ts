/** A test imports this first: products that its process starts then keep their data in PostgreSQL. */
import process from 'node:process';

process.env['SAYSO_STORE'] = 'postgres';
