// SQLite with nothing around it: what the search index is measured beside.
#include "limits.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

enum { authors = 1000, columnsMax = 16 };

static void check(sqlite3 *database, int code) {
    if (code == SQLITE_OK || code == SQLITE_ROW || code == SQLITE_DONE) return;
    fprintf(stderr, "SQLite: %s\n", sqlite3_errmsg(database));
    exit(1);
}

static void run(sqlite3 *database, const char *sql) {
    check(database, sqlite3_exec(database, sql, NULL, NULL, NULL));
}

static sqlite3_stmt *prepared(sqlite3 *database, const char *sql) {
    sqlite3_stmt *statement;
    check(database, sqlite3_prepare_v2(database, sql, -1, &statement, NULL));
    return statement;
}

// The columns and indexes that the product keeps of each listing beside its words.
static sqlite3_stmt *properties(sqlite3 *database) {
    run(database,
        "CREATE TABLE listings (row INTEGER PRIMARY KEY, id BLOB UNIQUE, slot BLOB, author BLOB,"
        " category TEXT, chain BLOB, currency BLOB, price BLOB, method TEXT, delivery TEXT,"
        " time INTEGER, ends INTEGER, contract BLOB, sale BLOB);"
        "CREATE INDEX by_time ON listings (time);"
        "CREATE INDEX by_category ON listings (category, time);"
        "CREATE INDEX by_author ON listings (author, time);"
        "CREATE INDEX by_slot ON listings (slot);"
        "CREATE INDEX by_price ON listings (currency, price);");
    return prepared(
        database,
        "INSERT INTO listings VALUES (?1, ?2, ?3, substr(?4, 1, 20), ?5, zeroblob(8), zeroblob(20),"
        " ?6, 'escrow', 'shipping', ?1, 9223372036854775807, NULL, NULL)");
}

static void insert_properties(sqlite3_stmt *statement, int row, const char *category) {
    uint8_t id[32], slot[32], author[32], price[32] = {0};
    limits_key(2 * (uint64_t)row, id);
    limits_key(2 * (uint64_t)row + 1, slot);
    limits_key(row % authors, author);
    for (int byte = 0; byte < 4; byte++) price[31 - byte] = (uint8_t)(row >> (8 * byte));
    sqlite3_bind_int64(statement, 1, row + 1);
    sqlite3_bind_blob(statement, 2, id, sizeof id, SQLITE_STATIC);
    sqlite3_bind_blob(statement, 3, slot, sizeof slot, SQLITE_STATIC);
    sqlite3_bind_blob(statement, 4, author, sizeof author, SQLITE_STATIC);
    sqlite3_bind_text(statement, 5, category, -1, SQLITE_STATIC);
    sqlite3_bind_blob(statement, 6, price, sizeof price, SQLITE_STATIC);
    check(sqlite3_db_handle(statement), sqlite3_step(statement));
    sqlite3_reset(statement);
}

int limits_search_index(
    const char *path, const char *options, int has_properties, const char *const *texts, int columns,
    int count, int batch) {
    sqlite3 *database;
    char names[3 * columnsMax + 1] = "", marks[3 * columnsMax + 1] = "";
    if (columns > columnsMax) return 0;
    for (int column = 0; column < columns; column++) {
        snprintf(names + 3 * column, 4, "%c, ", 'a' + column);
        snprintf(marks + 3 * column, 4, column ? ", ?" : "  ?");
    }
    char *create = sqlite3_mprintf("CREATE VIRTUAL TABLE texts USING fts5 (%s%s)", names, options);
    char *insert = sqlite3_mprintf("INSERT INTO texts VALUES (%s)", marks);
    check(NULL, sqlite3_open(path, &database));
    run(database, "PRAGMA journal_mode = WAL");
    run(database, "PRAGMA synchronous = NORMAL");
    run(database, "PRAGMA cache_size = -16000");
    run(database, create);
    sqlite3_stmt *listing = has_properties ? properties(database) : NULL;
    sqlite3_stmt *text = prepared(database, insert);
    for (int row = 0; row < count; row++) {
        const char *const *of_row = texts + (size_t)row * columns;
        if (row % batch == 0) run(database, "BEGIN");
        if (listing) insert_properties(listing, row, of_row[2]);
        for (int column = 0; column < columns; column++)
            sqlite3_bind_text(text, column + 1, of_row[column], -1, SQLITE_STATIC);
        check(database, sqlite3_step(text));
        sqlite3_reset(text);
        if (row % batch == batch - 1 || row == count - 1) run(database, "COMMIT");
    }
    sqlite3_finalize(listing);
    sqlite3_finalize(text);
    check(database, sqlite3_close(database));
    sqlite3_free(create);
    sqlite3_free(insert);
    return count;
}
