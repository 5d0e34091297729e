/* What client and server of the handshake share: states, the connection, and
 * the routines that send and receive messages. A simplified SSL 3.0. */
#ifndef SSL_H
#define SSL_H

#define SSL_ST_CONNECT 0x1000
#define SSL_ST_ACCEPT 0x2000
#define SSL_ST_BEFORE 0x4000
#define SSL_ST_OK 0x03

#define SSL3_ST_CW_CLNT_HELLO_A 0x1110
#define SSL3_ST_CW_CLNT_HELLO_B 0x1111
#define SSL3_ST_CR_SRVR_HELLO_A 0x1120
#define SSL3_ST_CR_CERT_A 0x1130
#define SSL3_ST_CR_KEY_EXCH_A 0x1140
#define SSL3_ST_CR_CERT_REQ_A 0x1150
#define SSL3_ST_CR_SRVR_DONE_A 0x1160
#define SSL3_ST_CW_CERT_A 0x1170
#define SSL3_ST_CW_KEY_EXCH_A 0x1180
#define SSL3_ST_CW_CERT_VRFY_A 0x1190
#define SSL3_ST_CW_CHANGE_A 0x11A0
#define SSL3_ST_CW_FINISHED_A 0x11B0
#define SSL3_ST_CW_FLUSH 0x1100
#define SSL3_ST_CR_CHANGE_A 0x11C0
#define SSL3_ST_CR_FINISHED_A 0x11D0

#define SSL3_ST_SR_CLNT_HELLO_A 0x2110
#define SSL3_ST_SR_CLNT_HELLO_B 0x2111
#define SSL3_ST_SW_SRVR_HELLO_A 0x2130
#define SSL3_ST_SW_CERT_A 0x2140
#define SSL3_ST_SW_KEY_EXCH_A 0x2150
#define SSL3_ST_SW_CERT_REQ_A 0x2160
#define SSL3_ST_SW_SRVR_DONE_A 0x2170
#define SSL3_ST_SR_CERT_A 0x2180
#define SSL3_ST_SR_KEY_EXCH_A 0x2190
#define SSL3_ST_SR_CERT_VRFY_A 0x21A0
#define SSL3_ST_SR_CHANGE_A 0x21B0
#define SSL3_ST_SR_FINISHED_A 0x21C0
#define SSL3_ST_SW_CHANGE_A 0x21D0
#define SSL3_ST_SW_FINISHED_A 0x21E0
#define SSL3_ST_SW_FLUSH 0x2100

#define SSL_CB_LOOP 0x01
#define SSL_CB_EXIT 0x02
#define SSL_CB_HANDSHAKE_START 0x10
#define SSL_CB_HANDSHAKE_DONE 0x20

#define SSL3_VERSION 0x0300
#define SSL_VERIFY_PEER 0x01

typedef struct ssl_st {
    int version;
    int type;
    int server;
    int state;
    int next_state;
    int hit;
    int cert_request;
    int ephemeral;
    int verify_mode;
    int shutdown;
    int in_handshake;
    int init_num;
    int renegotiate;
    int info;
    int handshakes;
} SSL;

/* The client's routines. All return a value greater than zero if they did
 * their work; the connection is given up if they did not. */
int ssl3_client_hello(SSL *s);
int ssl3_get_server_hello(SSL *s);
int ssl3_get_server_certificate(SSL *s);
int ssl3_get_server_message(SSL *s);
int ssl3_get_server_done(SSL *s);
int ssl3_get_certificate_request(SSL *s);
int ssl3_send_client_certificate(SSL *s);
int ssl3_send_client_key_exchange(SSL *s);
int ssl3_send_client_verify(SSL *s);
int ssl3_send_client_change(SSL *s);
int ssl3_send_client_finished(SSL *s);
int ssl3_get_server_change(SSL *s);
int ssl3_get_server_finished(SSL *s);

/* The server's routines. */
int ssl3_get_client_hello(SSL *s);
int ssl3_find_old(SSL *s);
int ssl3_send_server_hello(SSL *s, int hit);
int ssl3_send_server_certificate(SSL *s);
int ssl3_send_server_key_exchange(SSL *s);
int ssl3_send_certificate_request(SSL *s);
int ssl3_send_server_done(SSL *s);
int ssl3_get_client_certificate(SSL *s);
int ssl3_get_client_key_exchange(SSL *s);
int ssl3_get_client_verify(SSL *s);
int ssl3_get_client_change(SSL *s);
int ssl3_get_client_finished(SSL *s);
int ssl3_send_server_change(SSL *s);
int ssl3_send_server_finished(SSL *s);

#endif
