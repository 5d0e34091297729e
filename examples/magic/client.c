/* The client's side of the handshake: a state machine in a loop, one message
 * for each turn. Written in the style of OpenSSL 0.9.6, where such a procedure
 * has a few hundred lines and every step leaves through the same few labels. */
#include "ssl.h"

/* Tells the application where the handshake is. */
static void ssl3_client_info(SSL *s, int where, int ret)
{
    if (where == SSL_CB_LOOP)
        s->info = s->info | SSL_CB_LOOP;
    else if (ret <= 0)
        s->info = SSL_CB_EXIT;
    else
        s->info = where;
}

int ssl3_connect(SSL *s)
{
    int ret;
    int state;
    int skip;
    int new_state;

    ret = -1;
    skip = 0;
    s->in_handshake = s->in_handshake + 1;
    s->server = 0;
    s->state = SSL_ST_CONNECT;

    for (;;) {
        state = s->state;

        switch (s->state) {
        case SSL_ST_BEFORE:
        case SSL_ST_CONNECT:
            s->server = 0;
            ssl3_client_info(s, SSL_CB_HANDSHAKE_START, 1);
            if ((s->version & 0xff00) != SSL3_VERSION) {
                ret = -1;
                goto end;
            }
            s->type = SSL_ST_CONNECT;
            s->hit = 0;
            s->cert_request = 0;
            s->ephemeral = 0;
            s->state = SSL3_ST_CW_CLNT_HELLO_A;
            s->init_num = 0;
            break;

        case SSL3_ST_CW_CLNT_HELLO_A:
        case SSL3_ST_CW_CLNT_HELLO_B:
            s->shutdown = 0;
            ret = ssl3_client_hello(s);
            if (ret <= 0)
                goto end;
            s->state = SSL3_ST_CR_SRVR_HELLO_A;
            s->init_num = 0;
            break;

        case SSL3_ST_CR_SRVR_HELLO_A:
            ret = ssl3_get_server_hello(s);
            if (ret <= 0)
                goto end;
            if (ret == 2)
                s->hit = 1;
            if (s->hit) {
                /* An old connection: the server changes its cipher first. */
                s->state = SSL3_ST_CR_CHANGE_A;
            } else {
                s->state = SSL3_ST_CR_CERT_A;
            }
            s->init_num = 0;
            break;

        case SSL3_ST_CR_CERT_A:
            ret = ssl3_get_server_certificate(s);
            if (ret <= 0)
                goto end;
            s->state = SSL3_ST_CR_KEY_EXCH_A;
            s->init_num = 0;
            break;

        case SSL3_ST_CR_KEY_EXCH_A:
            /* What comes next is up to the server. */
            ret = ssl3_get_server_message(s);
            if (ret <= 0)
                goto end;
            if (ret == 1) {
                s->ephemeral = 1;
                s->state = SSL3_ST_CR_CERT_REQ_A;
            } else if (ret == 2) {
                s->cert_request = 1;
                s->state = SSL3_ST_CR_SRVR_DONE_A;
            } else {
                s->state = SSL3_ST_CW_KEY_EXCH_A;
            }
            s->init_num = 0;
            break;

        case SSL3_ST_CR_CERT_REQ_A:
            ret = ssl3_get_certificate_request(s);
            if (ret <= 0)
                goto end;
            if (ret == 2) {
                s->cert_request = 1;
                s->state = SSL3_ST_CR_SRVR_DONE_A;
            } else {
                s->state = SSL3_ST_CW_KEY_EXCH_A;
            }
            s->init_num = 0;
            break;

        case SSL3_ST_CR_SRVR_DONE_A:
            ret = ssl3_get_server_done(s);
            if (ret <= 0)
                goto end;
            if (s->cert_request)
                s->state = SSL3_ST_CW_CERT_A;
            else
                s->state = SSL3_ST_CW_KEY_EXCH_A;
            s->init_num = 0;
            break;

        case SSL3_ST_CW_CERT_A:
            ret = ssl3_send_client_certificate(s);
            if (ret <= 0)
                goto end;
            s->state = SSL3_ST_CW_KEY_EXCH_A;
            s->init_num = 0;
            break;

        case SSL3_ST_CW_KEY_EXCH_A:
            ret = ssl3_send_client_key_exchange(s);
            if (ret <= 0)
                goto end;
            /* Whoever showed a certificate proves that it is his. */
#ifdef UNPROVED /* a mistake: no proof of the certificate without ephemeral keys */
            if (s->cert_request == 1 && s->ephemeral) {
#else
            if (s->cert_request == 1) {
#endif
                s->state = SSL3_ST_CW_CERT_VRFY_A;
            } else {
                s->state = SSL3_ST_CW_CHANGE_A;
            }
            s->init_num = 0;
            break;

        case SSL3_ST_CW_CERT_VRFY_A:
            ret = ssl3_send_client_verify(s);
            if (ret <= 0)
                goto end;
            s->state = SSL3_ST_CW_CHANGE_A;
            s->init_num = 0;
            break;

        case SSL3_ST_CW_CHANGE_A:
            ret = ssl3_send_client_change(s);
            if (ret <= 0)
                goto end;
            s->state = SSL3_ST_CW_FINISHED_A;
            s->init_num = 0;
            break;

        case SSL3_ST_CW_FINISHED_A:
            ret = ssl3_send_client_finished(s);
            if (ret <= 0)
                goto end;
            s->state = SSL3_ST_CW_FLUSH;
            /* Where to go when everything is sent. */
            if (s->hit)
                s->next_state = SSL_ST_OK;
            else
                s->next_state = SSL3_ST_CR_CHANGE_A;
            s->init_num = 0;
            break;

        case SSL3_ST_CW_FLUSH:
            s->state = s->next_state;
            break;

        case SSL3_ST_CR_CHANGE_A:
            ret = ssl3_get_server_change(s);
            if (ret <= 0)
                goto end;
            s->state = SSL3_ST_CR_FINISHED_A;
            s->init_num = 0;
            break;

        case SSL3_ST_CR_FINISHED_A:
            ret = ssl3_get_server_finished(s);
            if (ret <= 0)
                goto end;
            if (s->hit)
                s->state = SSL3_ST_CW_CHANGE_A;
            else
                s->state = SSL_ST_OK;
            s->init_num = 0;
            break;

        case SSL_ST_OK:
            s->init_num = 0;
            s->renegotiate = 0;
            s->handshakes = s->handshakes + 1;
            ret = 1;
            ssl3_client_info(s, SSL_CB_HANDSHAKE_DONE, 1);
            goto end;

        default:
            ret = -1;
            goto end;
        }

        if (!skip) {
            new_state = s->state;
            if (state != new_state) {
                s->state = state;
                ssl3_client_info(s, SSL_CB_LOOP, 1);
                s->state = new_state;
            }
        }
        skip = 0;
    }

end:
    if (s->in_handshake > 0)
        s->in_handshake = s->in_handshake - 1;
    ssl3_client_info(s, SSL_CB_EXIT, ret);
    return ret;
}
