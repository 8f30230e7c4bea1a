/** Imported first: what this process starts keeps its data in PostgreSQL. */
import process from 'node:process';

process.env['SAYSO_STORE'] = 'postgres';
